// The declarations from Foundation and MSAL for iOS and macOS that the samples use, only for type checking.
#pragma clang assume_nonnull begin
typedef signed char BOOL;
#define YES ((BOOL)1)
#define NO ((BOOL)0)
#define nil ((id)0)
typedef long NSInteger;
@protocol NSCopying
@end
__attribute__((objc_root_class)) @interface NSObject
+ (instancetype)new;
+ (instancetype)alloc;
- (instancetype)init;
@end
@interface NSString : NSObject <NSCopying>
- (BOOL)isEqualToString:(nullable NSString *)other;
@end
@interface NSConstantString : NSString
@end
@interface NXConstantString : NSString
@end
@interface NSArray<T> : NSObject
@end
@interface NSDictionary<K, V> : NSObject
- (nullable V)objectForKeyedSubscript:(K)key;
@end
@interface NSError : NSObject
@property (readonly) NSString *domain;
@property (readonly) NSInteger code;
@property (readonly) NSDictionary<NSString *, id> *userInfo;
@end
@interface NSData : NSObject
@end
@interface NSURL : NSObject
+ (nullable instancetype)URLWithString:(NSString *)text;
@end
@interface NSURLRequest : NSObject
+ (instancetype)requestWithURL:(NSURL *)url;
@end
@interface NSMutableURLRequest : NSURLRequest
- (void)setValue:(nullable NSString *)value forHTTPHeaderField:(NSString *)field;
@end
@interface NSHTTPURLResponse : NSObject
@property (readonly) NSInteger statusCode;
@property (readonly) NSDictionary *allHeaderFields;
@end

extern NSString *MSALErrorDomain;
extern NSString *MSALGrantedScopesKey;
extern NSString *MSALInvalidResultKey;
typedef enum MSALError : NSInteger MSALError;
enum MSALError : NSInteger {
  MSALErrorInternal = -50000,
  MSALErrorWorkplaceJoinRequired = -50001,
  MSALErrorInteractionRequired = -50002,
  MSALErrorServerDeclinedScopes = -50003,
  MSALErrorServerProtectionPoliciesRequired = -50004,
  MSALErrorUserCanceled = -50005,
};
typedef enum MSALDeviceMode : NSInteger { MSALDeviceModeDefault, MSALDeviceModeShared } MSALDeviceMode;

@interface NSViewController : NSObject
@end
@interface MSALAccount : NSObject
@end
@interface MSALResult : NSObject
@property (readonly) NSString *authorizationHeader;
@end
@interface MSALDeviceInformation : NSObject
@property (readonly) MSALDeviceMode deviceMode;
@end
@interface MSALParameters : NSObject
@end
@interface MSALAccountEnumerationParameters : MSALParameters
@property BOOL returnOnlySignedInAccounts;
@end
@interface MSALClaimsRequest : NSObject
- (instancetype)initWithJsonString:(NSString *)claims error:(NSError *_Nullable __autoreleasing *_Nullable)error;
@end
@interface MSALTokenParameters : MSALParameters
@property (nullable) MSALAccount *account;
@property (nullable) MSALClaimsRequest *claimsRequest;
@end
@interface MSALSilentTokenParameters : MSALTokenParameters
- (instancetype)initWithScopes:(NSArray<NSString *> *)scopes account:(MSALAccount *)account;
@end
@interface MSALWebviewParameters : NSObject
- (instancetype)initWithAuthPresentationViewController:(NSViewController *)controller;
@end
@interface MSALInteractiveTokenParameters : MSALTokenParameters
- (instancetype)initWithScopes:(NSArray<NSString *> *)scopes webviewParameters:(MSALWebviewParameters *)webview;
@end
@interface MSALSignoutParameters : MSALParameters
- (instancetype)initWithWebviewParameters:(MSALWebviewParameters *)webview;
@property BOOL signoutFromBrowser;
@end
typedef void (^MSALCompletionBlock)(MSALResult *_Nullable result, NSError *_Nullable error);
@interface MSALPublicClientApplication : NSObject
- (nullable MSALAccount *)accountForIdentifier:(NSString *)identifier
                                         error:(NSError *_Nullable __autoreleasing *_Nullable)error;
- (void)accountsFromDeviceForParameters:(MSALAccountEnumerationParameters *)parameters
                        completionBlock:(void (^)(NSArray<MSALAccount *> *_Nullable, NSError *_Nullable))block;
- (void)getCurrentAccountWithParameters:(nullable MSALParameters *)parameters
                        completionBlock:(void (^)(MSALAccount *_Nullable, MSALAccount *_Nullable, NSError *_Nullable))block;
- (void)acquireTokenWithParameters:(MSALInteractiveTokenParameters *)parameters
                   completionBlock:(MSALCompletionBlock)block;
- (void)acquireTokenSilentWithParameters:(MSALSilentTokenParameters *)parameters
                         completionBlock:(MSALCompletionBlock)block;
- (void)signoutWithAccount:(MSALAccount *)account
         signoutParameters:(MSALSignoutParameters *)parameters
           completionBlock:(void (^)(BOOL success, NSError *_Nullable error))block;
- (void)getDeviceInformationWithParameters:(nullable MSALParameters *)parameters
                           completionBlock:(void (^)(MSALDeviceInformation *_Nullable, NSError *_Nullable))block;
@end

// App code that the samples use but do not define.
@interface App : NSObject
@property MSALPublicClientApplication *application;
@property NSArray<NSString *> *scopes;
@property NSViewController *viewController;
- (void)clearDisplayedData;
- (void)report:(nullable NSError *)error;
- (void)reportStatus:(NSInteger)status;
- (void)showProfile:(nullable NSData *)body;
- (void)continueWithScopes:(nullable NSArray<NSString *> *)scopes;
- (nullable NSString *)claimsInHeader:(nullable NSString *)header;
- (void)send:(NSURLRequest *)request completion:(void (^)(NSData *_Nullable body, NSHTTPURLResponse *answer))completion;
- (void)tokenWithClaims:(nullable MSALClaimsRequest *)claims completion:(MSALCompletionBlock)completion;
- (void)loadAccount:(void (^)(MSALAccount *_Nullable account, NSError *_Nullable error))completion;
- (void)tokenSilentlyForAccount:(MSALAccount *)account completion:(MSALCompletionBlock)completion;
- (void)tokenInteractivelyForAccount:(nullable MSALAccount *)account completion:(MSALCompletionBlock)completion;
@end
#pragma clang assume_nonnull end

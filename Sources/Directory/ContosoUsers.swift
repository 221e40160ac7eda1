/// The users in the default directory, in directory order.
enum ContosoUsers {
  struct Row: Sendable {
    let username: String
    let displayName: String
    let jobTitle: String
    let department: String
    let officeLocation: String
    let city: String
    let manager: String?
    let groups: [String]

    init(
      _ username: String, _ displayName: String, _ jobTitle: String, _ department: String, _ officeLocation: String,
      _ city: String, manager: String?, _ groups: [String]
    ) {
      self.username = username
      self.displayName = displayName
      self.jobTitle = jobTitle
      self.department = department
      self.officeLocation = officeLocation
      self.city = city
      self.manager = manager
      self.groups = groups
    }
  }

  static let rows: [Row] = [
    Row(
      "megan", "Megan Bowen", "Marketing Manager", "Marketing", "12/1110", "Pittsburgh", manager: "adele",
      ["Marketing", "All Company"]),
    Row(
      "adele", "Adele Vance", "Chief Operating Officer", "Executive", "18/2111", "Bellevue", manager: nil,
      ["Leadership", "All Company"]),
    Row("mona", "Mona Kane", "Security Engineer", "IT", "14/1102", "Seattle", manager: "adele", ["IT", "All Company"]),
    Row("otto", "Otto Falk", "Identity Engineer", "IT", "14/1103", "Seattle", manager: "mona", ["IT", "All Company"]),
    Row(
      "paul", "Paul Ember", "Account Executive", "Sales", "20/1101", "Denver", manager: "lena",
      ["Sales", "All Company"]),
    Row("dora", "Dora Quist", "Former Intern", "Marketing", "12/1101", "Pittsburgh", manager: "megan", ["All Company"]),
    Row(
      "lena", "Lena Hart", "Sales Director", "Sales", "20/1109", "Denver", manager: "adele",
      ["Sales", "Leadership", "All Company"]),
    Row(
      "alex", "Alex Wilber", "Marketing Assistant", "Marketing", "12/1105", "Pittsburgh", manager: "megan",
      ["Marketing", "All Company"]),
    Row(
      "alan", "Alan Reyes", "Account Executive", "Sales", "20/1102", "Denver", manager: "lena",
      ["Sales", "All Company"]),
    Row(
      "bianca", "Bianca Sol", "Designer", "Marketing", "12/1102", "Pittsburgh", manager: "megan",
      ["Marketing", "All Company"]),
    Row(
      "carlos", "Carlos Wynn", "Copywriter", "Marketing", "12/1103", "Pittsburgh", manager: "megan",
      ["Marketing", "All Company"]),
    Row(
      "dina", "Dina Okafor", "Campaign Analyst", "Marketing", "12/1104", "Pittsburgh", manager: "megan",
      ["Marketing", "All Company"]),
    Row("emil", "Emil Novak", "Support Engineer", "IT", "14/1104", "Seattle", manager: "mona", ["IT", "All Company"]),
    Row(
      "farah", "Farah Nassar", "Legal Counsel", "Legal", "18/1101", "Bellevue", manager: "adele",
      ["Legal", "All Company"]),
    Row(
      "grete", "Grete Lund", "Paralegal", "Legal", "18/1102", "Bellevue", manager: "farah", ["Legal", "All Company"]),
    Row(
      "hiro", "Hiro Tanaka", "Finance Director", "Finance", "18/1109", "Bellevue", manager: "adele",
      ["Finance", "Leadership", "All Company"]),
    Row(
      "ines", "Ines Duarte", "Accountant", "Finance", "18/1110", "Bellevue", manager: "hiro",
      ["Finance", "All Company"]),
    Row(
      "jonas", "Jonas Weber", "Controller", "Finance", "18/1111", "Bellevue", manager: "hiro",
      ["Finance", "All Company"]),
    Row(
      "kiran", "Kiran Patel", "Engineering Director", "Engineering", "16/1109", "Seattle", manager: "adele",
      ["Engineering", "Leadership", "All Company"]),
    Row(
      "lucia", "Lucía Ferrer", "Software Engineer", "Engineering", "16/1101", "Seattle", manager: "kiran",
      ["Engineering", "All Company"]),
    Row(
      "marek", "Marek Zając", "Software Engineer", "Engineering", "16/1102", "Seattle", manager: "kiran",
      ["Engineering", "All Company"]),
    Row(
      "nadia", "Nadia Haddad", "Software Engineer", "Engineering", "16/1103", "Seattle", manager: "kiran",
      ["Engineering", "All Company"]),
    Row(
      "omar", "Omar Said", "Test Engineer", "Engineering", "16/1104", "Seattle", manager: "kiran",
      ["Engineering", "All Company"]),
    Row(
      "priya", "Priya Raman", "Product Manager", "Engineering", "16/1105", "Seattle", manager: "kiran",
      ["Engineering", "All Company"]),
    Row(
      "quinn", "Quinn O'Neil", "Technical Writer", "Engineering", "16/1106", "Seattle", manager: "priya",
      ["Engineering", "All Company"]),
    Row(
      "rosa", "Rosa Lindqvist", "Account Executive", "Sales", "20/1103", "Denver", manager: "lena",
      ["Sales", "All Company"]),
    Row(
      "sven", "Sven Aalto", "Account Executive", "Sales", "20/1104", "Denver", manager: "lena",
      ["Sales", "All Company"]),
    Row(
      "tara", "Tara Singh", "Sales Engineer", "Sales", "20/1105", "Denver", manager: "lena", ["Sales", "All Company"]),
    Row("umar", "Umar Khan", "Recruiter", "People", "18/1103", "Bellevue", manager: "vera", ["All Company"]),
    Row(
      "vera", "Vera Petrova", "People Director", "People", "18/1104", "Bellevue", manager: "adele",
      ["Leadership", "All Company"]),
    Row("will", "Will Adeyemi", "Receptionist", "People", "18/1001", "Bellevue", manager: "vera", ["All Company"]),
  ]

  static let groups: [(name: String, description: String)] = [
    ("All Company", "All employees of Contoso"), ("Leadership", "Directors and above"), ("Sales", "The sales team"),
    ("Marketing", "The marketing team"), ("Engineering", "The engineering team"), ("Finance", "The finance team"),
    ("Legal", "The legal team"), ("IT", "The IT team"),
  ]
}
